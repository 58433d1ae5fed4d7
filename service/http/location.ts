// The address of what a call has made (RFC 9110, 10.2.2). It is made of ids, whatever names the call was sent with.

/** `subject` is what a comment is on. */
export type Made = { readonly id: string; readonly subject?: { readonly id: string } }

/** Objects are also addressed by the caller's own ids, below the collection. */
const byExternalId = '/by-external-id/'

/** `template` and `url` are those of the call. */
export const locationOf = (template: string, url: string, made: Made): string =>
  `${siblingsOf(template, url, made)}/${made.id}`

/** The address of the collection that the object is in. */
function siblingsOf(template: string, url: string, { subject }: Made): string {
  if (template.includes(byExternalId)) return template.slice(0, template.indexOf(byExternalId))
  const sent = url.split('?')[0] ?? ''
  if (subject === undefined) return sent
  const steps = sent.split('/')
  return template
    .split('/')
    .map((step, at) => (step === '{id}' ? subject.id : steps[at]))
    .join('/')
}
