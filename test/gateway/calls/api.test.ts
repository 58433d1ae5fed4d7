// How large a body an operation takes.
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { documentBodyBytesMax } from '#contract/documents.ts'
import { operation, apiBodyBytesMax } from '#contract/operation.ts'
import { closed } from '#contract/shared-fields.ts'
import { edgeOfFile, operatorToken } from '../support/edge.ts'

const text = closed({ text: Type.String() })
const shape = { summary: '', description: '', input: text, output: text, success: 200 } as const
const bodyBytesMax = documentBodyBytesMax
const large = operation({ name: 'large.create', http: 'POST /large', scope: null, bodyBytesMax, ...shape })
const { edge, token } = edgeOfFile({ operations: [...operations, large] })

test.each([
  ['an ordinary operation', '/api/v1/projects', apiBodyBytesMax, token],
  ['one that takes more', '/api/v1/large', documentBodyBytesMax, token],
  ['an operator’s', '/settings/api/workspaces', apiBodyBytesMax, operatorToken],
])('%s takes its limit and not a byte more, declared or in chunks', async (_name, path, bytesMax, token) => {
  const declared = (bytes: number) => edge.call('POST', path, { token, body: 'a'.repeat(bytes) })
  const chunked = async (bytes: number) => {
    const pieces = Array.from({ length: Math.ceil(bytes / 65_536) }, (_, at) =>
      'a'.repeat(Math.min(65_536, bytes - at * 65_536)),
    )
    const body = ReadableStream.from(pieces.map((piece) => Buffer.from(piece)))
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(edge.gateway.url + path, { method: 'POST', headers, body, duplex: 'half' })
    return { status: answer.status, body: await answer.json() }
  }

  const tooLarge = { status: 413, body: { code: 'body_too_large', limitBytes: bytesMax } }
  for (const send of [declared, chunked]) {
    expect((await send(bytesMax)).status).toBe(200)
    expect(await send(bytesMax + 1)).toMatchObject(tooLarge)
  }
})
