// One page, in the two forms that it is answered in: HTML for people, JSON for whoever asks for it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { packed, sendFile, type File } from '../downloads/file.ts'
import { preferred } from '../policies/accept.ts'
import { pageHeaders } from './html.ts'

export type Page = { readonly html: string; readonly json: unknown }
type Packed = { readonly html: File; readonly json: File }

const html = 'text/html'
const json = 'application/json'

/** Made when it is first asked for, and kept: there are as many as there are addresses. */
export function shelf(): (path: string, make: () => Page) => Packed {
  const kept = new Map<string, Packed>()
  return (path, make) => {
    const known = kept.get(path)
    if (known !== undefined) return known
    const page = make()
    const made = {
      html: packed(page.html, `${html}; charset=utf-8`),
      json: packed(JSON.stringify(page.json), json),
    }
    kept.set(path, made)
    return made
  }
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Packed): FastifyReply {
  const type = preferred(request.headers.accept, [html, json])
  if (type === html) reply.headers(pageHeaders)
  return sendFile(request, reply, type === html ? page.html : page.json, 'accept')
}
