// A page in its two forms: HTML for people, JSON for callers that prefer it.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendFile, textFile, type StaticFile } from '../downloads/static-file.ts'
import { negotiatedType } from '../auth/request-policies.ts'
import { pageHeaders } from './html.ts'

export type Page = { readonly html: string; readonly json: unknown }
type PageFiles = { readonly html: StaticFile; readonly json: StaticFile }

const html = 'text/html'
const json = 'application/json'

/** A page is rendered at the first request for it and kept. The number of pages is fixed, so nothing is evicted. */
export function pageCache(): (name: string, render: () => Page) => PageFiles {
  const pages = new Map<string, PageFiles>()
  return (name, render) => {
    const cached = pages.get(name)
    if (cached !== undefined) return cached
    const page = render()
    const files = {
      html: textFile(page.html, `${html}; charset=utf-8`),
      json: textFile(JSON.stringify(page.json), json),
    }
    pages.set(name, files)
    return files
  }
}

/** Throws `not_acceptable` when the caller takes neither form. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: PageFiles): FastifyReply {
  const type = negotiatedType(request.headers.accept, [html, json])
  if (type === html) reply.headers(pageHeaders)
  return sendFile(request, reply, type === html ? page.html : page.json, 'accept')
}
