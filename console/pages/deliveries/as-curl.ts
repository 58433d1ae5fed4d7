// An attempt as a command that sends the same bytes again, and one that checks a signature. Pure.
import type { Attempt } from '#contract/deliveries.ts'

/** For a shell: nothing in it is taken for anything but text. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const masked = '***'

/** Headers that are not shown are left out; the command says which. */
export function asCurl({ request: { url, headers, body } }: Attempt): string {
  const shown = Object.entries(headers).filter(([, value]) => value !== masked)
  const left = Object.keys(headers).filter((name) => headers[name] === masked)
  const lines = [
    `curl -i ${quoted(url)}`,
    ...shown.map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)}`),
    `  --data-binary ${quoted(body)}`,
  ].join(' \\\n')
  return left.length === 0
    ? lines
    : `# Headers left out because their values are not stored: ${left.join(', ')}.\n${lines}`
}

/** By Standard Webhooks: prints the signature that the receiver should have got, by the secret in the environment. */
export function asSignatureCheck({ request: { headers, body } }: Attempt): string {
  const [id = '', timestamp = ''] = [headers['webhook-id'], headers['webhook-timestamp']]
  return `# Prints the expected webhook-signature header of this attempt.
key=$(printf %s "\${WEBHOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
printf %s ${quoted(`${id}.${timestamp}.${body}`)} |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64 | sed 's/^/v1,/'
`
}
