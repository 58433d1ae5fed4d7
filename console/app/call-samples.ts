// Sample requests with a key, in several languages. Pure.
import { apiPrefix } from '#contract/route-paths.ts'

export type Sample = { readonly id: string; readonly label: string; readonly text: string }

/** The environment variable of samples without a secret. */
export const keyVariable = 'WORKSPACE_API_KEY'

/** `origin` is that of this installation. `secret`: null where the key comes from the environment. */
export const callSamples = (origin: string, secret: string | null): Sample[] => [
  {
    id: 'curl',
    label: 'curl',
    text: `curl -s "${origin}${apiPrefix}/me" \\\n  -H "Authorization: Bearer ${secret ?? `$${keyVariable}`}"`,
  },
  {
    id: 'typescript',
    label: 'TypeScript',
    text: `const response = await fetch('${origin}${apiPrefix}/me', {
  headers: { authorization: \`Bearer \${process.env.${keyVariable}}\` },
})
console.log(await response.json())${inEnvironment('//', secret)}`,
  },
  {
    id: 'python',
    label: 'Python',
    text: `import json, os, urllib.request

request = urllib.request.Request(
    "${origin}${apiPrefix}/me",
    headers={"Authorization": "Bearer " + os.environ["${keyVariable}"]},
)
print(json.load(urllib.request.urlopen(request)))${inEnvironment('#', secret)}`,
  },
]

const inEnvironment = (comment: string, secret: string | null): string =>
  secret === null ? '' : `\n\n${comment} .env: ${keyVariable}=${secret}`
