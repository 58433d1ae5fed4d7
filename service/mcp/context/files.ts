// Files as resources: `workspace://files/<id>` is the bytes of a file that can be read, as text where they are text.
import type { Resource, ReadResourceResult } from '@modelcontextprotocol/server'
import { Fault } from '#contract/faults/fault.ts'
import { getFile, listFiles, type File } from '#contract/files.ts'
import { covers } from '#contract/scopes.ts'
import { callOperation, type Exchange } from '../tools/runner.ts'

export const fileTemplate = 'workspace://files/{id}'

/** A client holds all of a resource in memory, as the service does. */
const resourceBytesMax = 1024 * 1024

export const fileUri = (id: string): string => `workspace://files/${id}`

export const mayReadFiles = ({ caller }: Exchange): boolean => covers(caller.principal.scopes, 'files:read')

type Asked = { readonly limit: number; readonly cursor?: string }

/** A page of the files that can be read, newest first. */
export async function listedFiles(asked: Asked, exchange: Exchange) {
  const { body } = await callOperation(listFiles, { ...asked, status: ['available'] }, exchange)
  return { files: body.data, nextCursor: body.page.nextCursor }
}

export const describedFile = ({ id, name, type, bytes, updatedAt }: File): Resource => ({
  uri: fileUri(id),
  name: id,
  title: name,
  description: `file, ${bytes} bytes`,
  mimeType: type,
  size: bytes,
  annotations: { lastModified: updatedAt },
})

/** Null for the URI of anything else. */
export const fileIdIn = (uri: string): string | null => /^workspace:\/\/files\/([^/?#]+)$/.exec(uri)?.[1] ?? null

/** Throws `not_found`, `insufficient_scope`, and `file_not_available` also for one that is too large for a message. */
export async function fileContents(uri: string, id: string, exchange: Exchange): Promise<ReadResourceResult> {
  const { body: file } = await callOperation(getFile, { id }, exchange)
  if (file.status === 'available' && file.bytes > resourceBytesMax) throw tooLarge(file)
  const { type, bytes } = await exchange.readFile(file.id, exchange)
  const text = textIn(file.type, bytes)
  if (text === null) return { contents: [{ uri, mimeType: type, blob: bytes.toString('base64') }] }
  // What a browser could run is no such thing in text that a model reads, but a client may show it.
  return { contents: [{ uri, mimeType: type === file.type ? type : 'text/plain', text }] }
}

function tooLarge({ bytes }: File): Fault {
  const detail = `This file has ${bytes} bytes. Over MCP, files of up to ${resourceBytesMax} bytes are read.`
  const hint = 'Download it with `GET /files/{id}/content` of the HTTP API.'
  return new Fault('file_not_available', detail, { fileStatus: 'available', hint })
}

const textual = /^text\/|^application\/(?:json|xml|x-ndjson|yaml|javascript|sql|.*\+(?:json|xml))$|^image\/svg\+xml$/

/** Null for what is no text, or is none in UTF-8. */
function textIn(type: string, bytes: Buffer): string | null {
  if (!textual.test(type)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
