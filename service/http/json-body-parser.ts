// Request bodies: JSON, and JSON merge patches (RFC 7396), which are parsed alike.
import type { FastifyInstance } from 'fastify'
import { parseJson } from '../text/parse-json.ts'

export function acceptJson(app: FastifyInstance): void {
  const types = ['application/json', 'application/merge-patch+json']
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    // An empty body is none: actions such as restore take no fields.
    body.length === 0 ? undefined : parseJson(body),
  )
}
