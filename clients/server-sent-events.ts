// Reads an answer of server-sent events, as our streams write them: one line of data, and at most one of each other
// field.

export type Message = {
  /** Null for a block that only says where the reader stands. */
  readonly data: string | null
  readonly event: string
  readonly id: string | null
}

export async function* messagesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, void> {
  let text = ''
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) yield messageOf(block)
  }
}

function messageOf(block: string): Message {
  const fields = new Map(
    block.split('\n').map((line) => [line.split(': ', 1)[0] ?? '', line.slice(line.indexOf(': ') + 2)]),
  )
  return { data: fields.get('data') ?? null, event: fields.get('event') ?? 'message', id: fields.get('id') ?? null }
}
