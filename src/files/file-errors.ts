import { type ErrorCode, ToolRefusal } from "../core/codes.ts";
import { errnoOf } from "../core/errno.ts";

const known: Record<string, { code: ErrorCode; says: string }> = {
  ENOENT: { code: "NOT_FOUND", says: "does not exist" },
  ENOTDIR: { code: "NOT_A_FILE", says: "cannot be reached: a part of its path is a file, not a folder" },
  EISDIR: { code: "IS_DIRECTORY", says: "is a folder, not a file" },
  ELOOP: {
    code: "NOT_A_FILE",
    says: "is a symbolic link that cannot be followed (it loops, or it was put there meanwhile)",
  },
  ENAMETOOLONG: { code: "INVALID_ARGUMENT", says: "has a name that is too long for this file system" },
  EINVAL: { code: "INVALID_ARGUMENT", says: "has a name that this file system does not take" },
  EILSEQ: { code: "INVALID_ARGUMENT", says: "has a name that this file system does not take" },
  ENXIO: { code: "NOT_A_FILE", says: "is not a regular file" },
  EACCES: { code: "EACCES", says: "may not be accessed: permission denied" },
  EPERM: { code: "EACCES", says: "may not be accessed: operation not permitted" },
  EROFS: { code: "READ_ONLY", says: "is on a read-only file system" },
  ENOSPC: { code: "ENOSPC", says: "could not be written: no space left on the device" },
  EDQUOT: { code: "ENOSPC", says: "could not be written: the disk quota is used up" },
  EFBIG: { code: "ENOSPC", says: "could not be written: it would pass the limit for the size of a file" },
  EIO: { code: "EIO", says: "failed with an input/output error of the device" },
  EXDEV: { code: "EIO", says: "could not be replaced: its folder spans two file systems" },
  EBUSY: { code: "EIO", says: "is in use by the system (a mount point, perhaps) and cannot be replaced" },
  EMFILE: { code: "EIO", says: "could not be opened: too many open files" },
  ENFILE: { code: "EIO", says: "could not be opened: too many open files in the system" },
  ENOMEM: { code: "EIO", says: "failed: the system is out of memory" },
  ESTALE: { code: "EIO", says: "is on a network file system that lost it" },
};

/**
 * Returns the failure of `asked` as a refusal, in words the model can act on. A ToolRefusal is given back as it is;
 * what is no error of the file system is thrown on, for it is a defect and not the model's to mend.
 */
export function fileRefusal(error: unknown, asked: string): ToolRefusal {
  if (error instanceof ToolRefusal) return error;
  const errno = errnoOf(error);
  if (errno === undefined || !(error instanceof Error) || !("syscall" in error)) throw error;
  const row = known[errno];
  if (row === undefined) return new ToolRefusal("EIO", `${asked} failed: ${errno}`, { cause: error });
  return new ToolRefusal(row.code, `${asked} ${row.says}`, { cause: error });
}
