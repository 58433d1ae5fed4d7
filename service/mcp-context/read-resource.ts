// Reads one resource: a text of the workspace about itself, or an object as Markdown.
import type { ReadResourceResult } from '@modelcontextprotocol/server'
import { asFault, Fault } from '#contract/faults/fault.ts'
import { readResource as readText } from '#contract/resources.ts'
import { callOperation } from '../mcp-tools/call-operation.ts'
import type { Exchange } from '../mcp-tools/exchange.ts'
import { kinds } from './kinds.ts'
import { documentPage } from './read-document.ts'
import { pageOf } from './read-object.ts'
import { parseObjectUri, type ObjectUri } from './uri.ts'

/** Throws `not_found` for what is not there, whatever the URI looks like, and `insufficient_scope`. */
export async function readResource(uri: string, exchange: Exchange): Promise<ReadResourceResult> {
  const object = parseObjectUri(uri)
  if (object !== null) return { contents: [{ uri, mimeType: 'text/markdown', text: await textOf(object, exchange) }] }
  if (!/^workspace:\/\/[a-z_-]{1,80}$/.test(uri)) throw new Fault('not_found', 'No resource has this URI.')
  const { body } = await callOperation(readText, { uri }, exchange)
  return { contents: [{ uri, mimeType: body.mimeType, text: body.text }] }
}

async function textOf(object: ObjectUri, exchange: Exchange): Promise<string> {
  const { segment, id } = object
  try {
    return segment === 'documents' ? await documentPage(object, exchange) : await pageOf(segment, id, exchange)
  } catch (thrown) {
    const fault = asFault(thrown)
    if (fault.code !== 'invalid_parameter' || !fault.members.errors?.some(({ parameter }) => parameter === 'id'))
      throw thrown
    // In a URI, an id that cannot be is one that is not there.
    throw new Fault('not_found', `No ${kinds[segment].singular} has this id.`)
  }
}
