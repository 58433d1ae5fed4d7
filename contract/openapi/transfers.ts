// What the description says of transfers: bytes as they are, in whole or in part, and the signature that stands in for
// a key.
import type { Json } from './components.ts'
import { headersOfAnswers } from './responses.ts'
import type { Audience } from '../operation.ts'
import { signatureLengthMax, signatureParameter } from '../transfer.ts'

const anyBytes = {
  'application/octet-stream': {
    schema: { type: 'string', format: 'binary' },
    example: 'Dear all,\n\nthe minutes of Monday.\n',
  },
}

export const bytesBody: Json = { description: 'The bytes, as they are.', required: true, content: anyBytes }

export const signatureParameterObject: Json = {
  name: signatureParameter,
  in: 'query',
  description: 'Of a signed address, in place of an API key: use such an address as it is.',
  schema: { type: 'string', minLength: 1, maxLength: signatureLengthMax },
}

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string', maxLength: 1_000 },
})

export const downloadParameters: readonly Json[] = [
  header(
    'Range',
    'A part of the file: `bytes=0-1023`, `bytes=1024-` or `bytes=-500`. A request for several returns the whole file.',
  ),
  header('If-Range', 'The `ETag` of the part that you have: if it is another file by now, all of it is sent.'),
  header('If-None-Match', 'The `ETag` of the file that you have: 304 if it is the same.'),
]

/** By status. */
export const downloadResponses = (audience: Audience): Json => ({
  200: {
    description: 'The bytes, as an attachment.',
    headers: headersOfAnswers(['Accept-Ranges', 'Content-Disposition', 'ETag'], audience),
    content: anyBytes,
  },
  206: {
    description: 'The requested part of the bytes.',
    headers: headersOfAnswers(['Accept-Ranges', 'Content-Disposition', 'Content-Range', 'ETag'], audience),
    content: anyBytes,
  },
  304: { description: 'Not modified. You have these bytes.', headers: headersOfAnswers(['ETag'], audience) },
})
