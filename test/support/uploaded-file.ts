// A file that is uploaded, as objects name it.
import type { Tenant } from './system.ts'

/** Returns its id. */
export async function uploadedFile({ api, url }: Pick<Tenant, 'api'> & { readonly url: string }): Promise<string> {
  const { status, body } = await api('POST', '/api/v1/files', { name: 'minutes.txt', bytes: 1 })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { ok } = await fetch(url + body.upload.url, { method: body.upload.method, body: 'x' })
  if (!ok) throw new Error('The file was not uploaded')
  return body.id
}
