// One call in four languages, with nothing but what each language brings along: the samples of the guides and those of
// the console. They are made of the same call, so the four cannot differ.

/** A piece of text as it is, or the name of a variable of the environment. */
export type Part = string | { readonly variable: string }
export type Text = readonly Part[]
export type SampleCall = {
  readonly method: string
  readonly url: Text
  readonly headers: readonly (readonly [name: string, value: Text])[]
  /** JSON; null where no body is sent. */
  readonly body: unknown
}
export type Sample = {
  readonly language: 'sh' | 'ts' | 'python' | 'go'
  readonly label: string
  readonly code: string
}

/** `curl`: the command, where it is written already. */
export const samplesOfCall = (call: SampleCall, curl = asCurl(call)): readonly Sample[] => [
  { language: 'sh', label: 'curl', code: curl },
  { language: 'ts', label: 'TypeScript', code: asTypeScript(call) },
  { language: 'python', label: 'Python', code: asPython(call) },
  { language: 'go', label: 'Go', code: asGo(call) },
]

function asCurl({ method, url, headers, body }: SampleCall): string {
  const isUsual = method === (body === null ? 'GET' : 'POST')
  return [
    `curl -s ${isUsual ? '' : `-X ${method} `}${shellText(url)}`,
    ...headers.map(([name, value]) => `-H ${shellText([`${name}: `, ...value])}`),
    ...(body === null ? [] : [`-d ${shellText([JSON.stringify(body)])}`]),
  ].join(' \\\n  ')
}

/** Between single quotes a shell reads nothing; between double quotes it fills in variables. */
function shellText(text: Text): string {
  const plain = isPlain(text) ? text.join('') : null
  if (plain !== null && !plain.includes("'")) return `'${plain}'`
  const parts = text.map((part) =>
    typeof part === 'string' ? part.replaceAll(/["\\$`]/g, String.raw`\$&`) : `$${part.variable}`,
  )
  return `"${parts.join('')}"`
}

function asTypeScript({ method, url, headers, body }: SampleCall): string {
  const fields = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    'headers: {',
    ...headers.map(([name, value]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${templateLiteral(value)},`),
    '},',
    ...(body === null ? [] : [`body: JSON.stringify(${jsLiteral(body, '  ')}),`]),
  ]
  return [`const response = await fetch(${templateLiteral(url)}, {`, ...fields.map(indented('  ')), '})']
    .concat('console.log(response.status, await response.text())')
    .join('\n')
}

function asPython({ method, url, headers, body }: SampleCall): string {
  const fields = [
    `${formatString(url)},`,
    ...(method === (body === null ? 'GET' : 'POST') ? [] : [`method="${method}",`]),
    'headers={',
    ...headers.map(([name, value]) => `    "${name}": ${formatString(value)},`),
    '},',
    ...(body === null ? [] : [`data=json.dumps(${pythonLiteral(body, '    ')}).encode(),`]),
  ]
  return [
    ...(body === null ? [] : ['import json']),
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    ...fields.map(indented('    ')),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n')
}

function asGo({ method, url, headers, body }: SampleCall): string {
  const hasVariables = [url, ...headers.map(([, value]) => value)].some((text) =>
    text.some((part) => typeof part === 'object'),
  )
  const packages = ['fmt', 'io', 'net/http', ...(hasVariables ? ['os'] : []), ...(body === null ? [] : ['strings'])]
  const bodyReader = body === null ? 'nil' : `strings.NewReader(${goString(JSON.stringify(body))})`
  const lines = [
    `request, err := http.NewRequest("${method}", ${goText(url)}, ${bodyReader})`,
    ...failing,
    ...headers.map(([name, value]) => `request.Header.Set("${name}", ${goText(value)})`),
    'response, err := http.DefaultClient.Do(request)',
    ...failing,
    'defer response.Body.Close()',
    'text, err := io.ReadAll(response.Body)',
    ...failing,
    'fmt.Println(response.StatusCode, string(text))',
  ]
  const imports = packages.map((name) => `\t"${name}"`).join('\n')
  return `package main\n\nimport (\n${imports}\n)\n\nfunc main() {\n${lines.map(indented('\t')).join('\n')}\n}`
}

const failing = ['if err != nil {', '\tpanic(err)', '}']
const indented = (by: string) => (line: string) => by + line
const isPlain = (text: Text): text is readonly string[] => text.every((part) => typeof part === 'string')

function templateLiteral(text: Text): string {
  if (isPlain(text)) return jsString(text.join(''))
  const parts = text.map((part) =>
    typeof part === 'string' ? part.replaceAll(/[`\\]|\$\{/g, String.raw`\$&`) : `\${process.env.${part.variable}}`,
  )
  return `\`${parts.join('')}\``
}

const jsString = (text: string): string => {
  const escaped = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
  return `'${escaped.replaceAll("'", String.raw`\'`)}'`
}

const shortMax = 60

/** On one line where that is short, and otherwise one field a line, as formatters do. */
function literal(
  value: unknown,
  indent: string,
  step: string,
  scalar: (value: unknown) => string,
  key: (name: string) => string,
  braceSpace: string,
): string {
  if (typeof value !== 'object' || value === null) return scalar(value)
  const isArray = Array.isArray(value)
  const fieldsAt = (deeper: string): string[] =>
    Object.entries(value).map(
      ([name, each]) => (isArray ? '' : `${key(name)}: `) + literal(each, deeper, step, scalar, key, braceSpace),
    )
  const [open, close, space] = isArray ? ['[', ']', ''] : ['{', '}', braceSpace]
  const short = fieldsAt(indent).join(', ')
  if (short === '') return open + close
  if (short.length <= shortMax && !short.includes('\n')) return `${open}${space}${short}${space}${close}`
  const lines = fieldsAt(indent + step).map((field) => `${indent}${step}${field},\n`)
  return `${open}\n${lines.join('')}${indent}${close}`
}

const jsLiteral = (value: unknown, indent: string): string =>
  literal(
    value,
    indent,
    '  ',
    (each) => (typeof each === 'string' ? jsString(each) : String(each)),
    (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : jsString(name)),
    ' ',
  )

const pythonWords: Readonly<Record<string, string>> = { true: 'True', false: 'False', null: 'None' }
const pythonLiteral = (value: unknown, indent: string): string =>
  literal(
    value,
    indent,
    '    ',
    (each) => (typeof each === 'string' ? JSON.stringify(each) : (pythonWords[String(each)] ?? String(each))),
    (name) => JSON.stringify(name),
    '',
  )

function formatString(text: Text): string {
  if (isPlain(text)) return JSON.stringify(text.join(''))
  const parts = text.map((part) =>
    typeof part === 'string'
      ? JSON.stringify(part).slice(1, -1).replaceAll(/[{}]/g, '$&$&')
      : `{os.environ['${part.variable}']}`,
  )
  return `f"${parts.join('')}"`
}

const goString = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``)
const goText = (text: Text): string =>
  text.map((part) => (typeof part === 'string' ? JSON.stringify(part) : `os.Getenv("${part.variable}")`)).join('+') ||
  '""'
