// The samples of the guides in other languages. A guide shows a call as a curl command, and the same call in the others
// is made of it. A command that does more than one call stays as it is.
import { samplesOfCall, type Part, type Sample, type SampleCall, type Text } from '#contract/call-samples.ts'

/** What the guides call the address of the API, and what it is. */
const apiVariable = 'API'
const apiInShell = new RegExp(String.raw`\$${apiVariable}\b`, 'g')

/** Null where the text is not one curl command in the form of the guides. */
export function samplesOf(command: string, apiAddress: string): readonly Sample[] | null {
  const call = callIn(command, apiAddress)
  return call && samplesOfCall(call, command.replaceAll(apiInShell, apiAddress))
}

/** Of the options of curl, those that the guides use. Any other makes the command none that can be translated. */
export function callIn(command: string, apiAddress: string): SampleCall | null {
  const words = wordsIn(command)
  if (words === null || textOf(words[0]) !== 'curl') return null
  const options: Options = { headers: [], query: [] }
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? []
    const name = textOf(word) ?? ''
    if (name === '-G' || name === '-sG') options.method = 'GET'
    else if (/^-[si]+$/.test(name)) continue
    else if (valued.has(name)) {
      at += 1
      if (!take(options, name, words[at] ?? [])) return null
    } else if (name.startsWith('-') || options.url !== undefined) return null
    else options.url = word
  }
  return callOf(options, apiAddress)
}

type Options = {
  method?: string
  url?: Text
  body?: unknown
  readonly headers: (readonly [string, Text])[]
  readonly query: string[]
}

const valued = new Set(['-X', '-H', '-d', '--data-urlencode'])

function take(options: Options, name: string, value: Text): boolean {
  if (name === '-H') {
    const header = splitHeader(value)
    if (header !== null) options.headers.push(header)
    return header !== null
  }
  const text = textOf(value)
  if (text === null) return false
  if (name === '-X') options.method = text
  else if (name === '--data-urlencode')
    options.query.push(text.replace(/=([^]*)$/, (_, v: string) => `=${encodeURIComponent(v)}`))
  else {
    try {
      options.body = JSON.parse(text)
    } catch {
      return false
    }
    // No operation takes another.
    return typeof options.body === 'object' && options.body !== null
  }
  return true
}

function callOf({ method, url, headers, query, body = null }: Options, apiAddress: string): SampleCall | null {
  if (url === undefined) return null
  const address = url.map((part) => (typeof part === 'object' && part.variable === apiVariable ? apiAddress : part))
  const [first] = address
  if (typeof first !== 'string' || !first.startsWith(apiAddress)) return null
  const full = query.length === 0 ? address : [...address, `?${query.join('&')}`]
  return { method: method ?? (body === null ? 'GET' : 'POST'), url: joined(full), headers, body }
}

function splitHeader(value: Text): readonly [string, Text] | null {
  const [first, ...others] = value
  const found = typeof first === 'string' ? /^([\w-]+): *([^]*)$/.exec(first) : null
  if (found === null) return null
  const [, name = '', start = ''] = found
  return [name, start === '' ? others : [start, ...others]]
}

const textOf = (word: Text | undefined): string | null =>
  word !== undefined && word.every((part) => typeof part === 'string') ? word.join('') : null

function joined(text: Text): Text {
  const parts: Part[] = []
  for (const part of text) {
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
    else parts.push(part)
  }
  return parts
}

/**
 * The words of one command of a shell, with quotes and variables read. Null where the text is more than one simple
 * command: lists, pipes, redirections and substitutions are not read.
 */
function wordsIn(command: string): Text[] | null {
  const words: Text[] = []
  let word: Part[] | null = null
  const token = /\\\n|'([^']*)'|"((?:[^"\\]|\\[^])*)"|\$(\w+)|([ \t]+)|([^\s'"$\\|&;<>()`#*]+)|([^])/gy
  for (const [whole, single, double, variable, space, plain, other] of command.trim().matchAll(token)) {
    if (other !== undefined) return null
    if (space !== undefined || whole === '\\\n') {
      if (word !== null) words.push(joined(word))
      word = null
      continue
    }
    word ??= []
    if (double !== undefined) {
      const parts = inDoubleQuotes(double)
      if (parts === null) return null
      word.push(...parts)
    } else word.push(variable === undefined ? (single ?? plain ?? '') : { variable })
  }
  if (word !== null) words.push(joined(word))
  return words
}

function inDoubleQuotes(text: string): Part[] | null {
  const parts: Part[] = []
  for (const [, escaped, variable, other, plain] of text.matchAll(/\\(["\\$`])|\$(\w+)|([$`])|([^\\$`]+|\\)/g)) {
    if (other !== undefined) return null
    parts.push(variable === undefined ? (escaped ?? plain ?? '') : { variable })
  }
  return parts
}
