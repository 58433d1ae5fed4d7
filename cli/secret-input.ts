// Reads a secret without showing it: from the terminal with a prompt, or from standard input. Never from an argument,
// which the list of processes and the history of the shell show.
import type { ReadStream } from 'node:tty'
import { UsageError } from './arguments.ts'

const lengthMax = 1_000
const form = /^[\x21-\x7e]+$/

/** Throws a UsageError where nothing comes, or what cannot be a secret. Null: Ctrl-C was pressed. */
export async function readSecret(input: NodeJS.ReadStream, prompt: (text: string) => void, question: string) {
  const text = input.isTTY ? await typed(input, prompt, question) : await piped(input)
  if (text === null) return null
  const secret = text.trim()
  if (secret === '') throw new UsageError('There is no secret on standard input.')
  if (secret.length > lengthMax || !form.test(secret))
    throw new UsageError(
      'What stands on standard input is no secret: it has spaces or line breaks in it, or is too long.',
    )
  return secret
}

async function piped(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.length > lengthMax * 2) break
  }
  return text
}

const keys = { interrupt: '\u0003', end: '\u0004', back: ['\u0008', '\u007f'], done: ['\r', '\n'], clear: '\u0015' }
/** What a terminal puts around pasted text, and sends for arrows. */
// oxlint-disable-next-line no-control-regex -- that is how they begin
const sequences = /\u001b\[[\d;]*[A-Za-z~]/g

function typed(input: ReadStream, prompt: (text: string) => void, question: string): Promise<string | null> {
  // Before the question: what is typed ahead is not shown either.
  input.setRawMode(true)
  prompt(question)
  input.setEncoding('utf8')
  return new Promise((resolve) => {
    let text = ''
    const end = (value: string | null): void => {
      input.off('data', take)
      input.off('end', ended)
      input.setRawMode(false)
      input.pause()
      prompt('\n')
      resolve(value)
    }
    const ended = (): void => end(text)
    const take = (chunk: string | Buffer): void => {
      for (const key of chunk.toString().replaceAll(sequences, '')) {
        if (key === keys.interrupt) return end(null)
        if (key === keys.end || keys.done.includes(key)) return end(text)
        if (keys.back.includes(key)) text = text.slice(0, -1)
        else text = key === keys.clear ? '' : text + key
      }
    }
    input.on('data', take)
    input.on('end', ended)
    input.resume()
  })
}
