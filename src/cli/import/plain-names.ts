/** Parts of names with a digit in them that everybody uses; any other digit may be of a secret. */
const withDigits = new Set(
  (
    "a2a amd64 arm64 auth0 base64 context7 crawl4ai d3 e2b ec2 h2 i18n k8s l10n log4j mp3 mp4 n8n neo4j oauth2 p4 python2 python3 s3 " +
    "sqlite3 utf8 v1 v2 v3 v4 web3 win32 x64 x86 21st"
  ).split(" "),
);

/** Words of the trade in which letters stand side by side that else seldom do. */
const oddWords = new Set(
  (
    "amqp argocd arxiv atlassian aws azure bigquery bitbucket blender cfg chroma cjs clickhouse cloudflare cmd confluence css csv " +
    "datadog desktop devops devtools dns duckdb duckduckgo dyld dynamodb excalidraw fastapi fastmcp fcp figma firecrawl ftp gcp gdrive " +
    "ghcr gif git gitea github githubcopilot gitlab gmail gpg gql grafana graphql grpc grpcurl gtk helm hotmail html http https hubspot huggingface " +
    "ini ipc jar jdbc jdk jira jpg jql json jsx jupyter jwt kafka kotlin kubectl kubernetes localhost langchain langfuse linkedin macos " +
    "markdown mcp mdx mjs mongo mongodb mqtt mssql mts mysql netlify nextjs nginx nodejs notebook npm npx nuget numpy nuxt nvmrc " +
    "oauth obsidian odbc openai openapi oracle pandas pdf pem php pinecone pkg playwright png pnpm podman postgres postgresql " +
    "powershell projects proxy psql pubmed puppeteer pycharm pydantic pypi pytest python pythonpath qdrant rds redshift rpc sdk shadcn shopify slack " +
    "smtp snowflake sonarqube spotify sql sqlalchemy sqlite sqs src srv ssh ssl sso stdio strava subject supabase svg swagger tcp " +
    "telegram tls tmp tsx txt typescript udp uml url usr uvx vercel vpc vpn vscode webhook whatsapp wikijs wikipedia wordpress " +
    "workflow workspace xcode xls xlsx xml xyz yml youtube zapier zendesk"
  ).split(" "),
);

/** By a letter, those that stand behind it in English words; fewer than half of all pairs. */
const behind: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "a:bcdfgiklmnprstuvwy b:aeijlorsuy c:acehiklorstuy d:adegilorsuy e:abcdefghilmnopqrstuvwxy f:aefilortuy g:aeghilnorsu h:aeimortu " +
    "i:abcdefgklmnoprstvxz j:aeosu k:aeis l:acdeiklopstuvy m:abeilmopsu n:acdefgijklmnopstuvy o:abcdefgiklmnoprstuvwx p:adehiloprstu " +
    "q:u r:abcdefgiklmnoprstuvwy s:acefhiklnopstuy t:acefhilmoprstuwy u:abcdegilmnprst v:aeio w:aehilnors x:aceiopt y:aeinopst z:aei"
  )
    .split(" ")
    .map((row) => row.split(":") as [string, string]),
);

const longestName = 64;
const mostParts = 8;

/**
 * Tells whether a name is made of words alone, with `-`, `_` or `.` between them: no more than can be read out. One that is random, has
 * digits in it, or changes between small and large letters is none.
 */
export function isPlainName(text: string): boolean {
  if (text.length > longestName) return false;
  const parts = text.split(/[-_.]/u);
  return parts.length <= mostParts && parts.every(isPlainPart) && parts.filter((part) => part.length < 3).length <= 2;
}

/** The same of what a setting, a variable or a header is called, where words also begin with a large letter, and a short one may be any letters of one kind. */
export const isPlainLabel = (text: string): boolean =>
  /^[A-Za-z][A-Za-z0-9_.-]*$/u.test(text) &&
  text.length <= longestName &&
  (isShort(text) || isPlainName(text.replace(/(?<=[a-z]{2})(?=[A-Z][a-z]{2})/gu, "-")));

const isShort = (text: string): boolean =>
  text.length < 8 && text.split(/[-_.]/u).every((part) => /^(?:[A-Z]?[a-z]+|[A-Z]+)$/u.test(part));

const isPlainPart = (part: string): boolean =>
  // A sign of another script may become a letter of these by its lower case.
  (/^\w+$/u.test(part) && withDigits.has(part.toLowerCase())) ||
  (/^(?:[A-Z]?[a-z]+|[A-Z]+)$/u.test(part) && isWordlike(part.toLowerCase()));

/** Letters as words have them: a vowel among them, and none behind one that it seldom follows. */
function isWordlike(letters: string): boolean {
  if (letters.length > 20) return false;
  if (letters.length < 3 || oddWords.has(letters)) return true;
  const vowels = letters.match(/[aeiouy]/gu)?.length ?? 0;
  const isUsual = [...letters].every((letter, at) => at === 0 || behind[letters.charAt(at - 1)]?.includes(letter));
  return isUsual && vowels > 0 && vowels * 7 >= letters.length && !/^[a-f]{6,}$/u.test(letters);
}
