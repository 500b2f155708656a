import { constants, deflateRawSync } from "node:zlib";

/** A PDF of one page, of which each mebibyte unpacks to a thousand: its page says nothing but blanks. @param unpacked in mebibytes */
export function makeSwellingPdf(unpacked: number): Buffer {
  const blanks = deflateRawSync(Buffer.alloc(16 * 1024 * 1024, " "), { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const ended = Buffer.from([0x03, 0x00]);
  const packed = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: Math.ceil(unpacked / 16) }, () => blanks),
    ended,
  ]);
  const stream = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed.toString("latin1")}\nendstream`;
  return makeDocument([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
    stream,
  ]);
}

/** A PDF with one line of text a page, as plain as one can be. */
export function makePdf(pages: readonly string[]): Buffer {
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((text, index) => {
      const stream = text === "" ? "" : `BT /F1 12 Tf 72 720 Td (${text}) Tj ET`;
      const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`;
      return [page, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`];
    }),
  ];
  return makeDocument(objects);
}

function makeDocument(objects: readonly string[]): Buffer {
  let body = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`;
  return Buffer.from(body + table + trailer, "latin1");
}
