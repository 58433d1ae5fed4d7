// Sample requests with a key, in several languages. Pure.
import { samplesOfCall, type Sample as CallSample, type SampleCall } from '#contract/call-samples.ts'
import { apiPrefix } from '#contract/route-paths.ts'

export type Sample = { readonly id: CallSample['language']; readonly label: string; readonly text: string }

/** The environment variable of samples without a secret, and of the guides, the starter files and the command line. */
export const keyVariable = 'WORKSPACE_API_KEY'

/** `origin` is that of this installation. `secret`: null where the key comes from the environment. */
export const callSamples = (origin: string, secret: string | null): Sample[] =>
  samplesWithKey({ method: 'GET', url: [`${origin}${apiPrefix}/me`], headers: [], body: null }, secret)

/** Only the command has the secret itself. A program that had it would be stored with it. */
export function samplesWithKey(call: SampleCall, secret: string | null = null): Sample[] {
  const withKey = samplesOfCall({
    ...call,
    headers: [['Authorization', ['Bearer ', { variable: keyVariable }]], ...call.headers],
  })
  return withKey.map(({ language, label, code }) => ({
    id: language,
    label,
    text:
      secret === null
        ? code
        : language === 'sh'
          ? code.replace(`$${keyVariable}`, secret)
          : `${code}\n\n${language === 'python' ? '#' : '//'} .env: ${keyVariable}=${secret}`,
  }))
}
