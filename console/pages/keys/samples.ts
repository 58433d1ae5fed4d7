// How a key is used, in the ways that people use it. Pure.
import { apiPrefix, mcpPath } from '#contract/route-paths.ts'

export type Sample = { readonly id: string; readonly label: string; readonly text: string }

/** `origin` is that of this installation. */
export const samplesFor = (origin: string, secret: string): Sample[] => [
  { id: 'curl', label: 'curl', text: `curl -s "${origin}${apiPrefix}/me" \\\n  -H "Authorization: Bearer ${secret}"` },
  {
    id: 'typescript',
    label: 'TypeScript',
    text: `const response = await fetch('${origin}${apiPrefix}/me', {
  headers: { authorization: \`Bearer \${process.env.WORKSPACE_API_KEY}\` },
})
console.log(await response.json())

// .env: WORKSPACE_API_KEY=${secret}`,
  },
  {
    id: 'python',
    label: 'Python',
    text: `import json, os, urllib.request

request = urllib.request.Request(
    "${origin}${apiPrefix}/me",
    headers={"Authorization": "Bearer " + os.environ["WORKSPACE_API_KEY"]},
)
print(json.load(urllib.request.urlopen(request)))

# .env: WORKSPACE_API_KEY=${secret}`,
  },
  {
    id: 'mcp',
    label: 'MCP',
    text: `claude mcp add --transport http workspace "${origin}${mcpPath}" \\\n  --header "Authorization: Bearer ${secret}"`,
  },
]
