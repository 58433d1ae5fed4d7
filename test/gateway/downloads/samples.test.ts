// The samples in other languages, made of the curl commands of the guides.
import fc from 'fast-check'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { callIn } from '../../../gateway/downloads/curl-command.ts'
import { samplesOf } from '../../../gateway/downloads/samples.ts'

const address = 'https://workspace.example/api/v1'
const auth = '-H "Authorization: Bearer $KEY"'

test.each<[string, string, unknown]>([
  [`curl -s "$API/me" ${auth}`, 'GET', null],
  [`curl -s -i -X DELETE "$API/tasks/WEB-1" ${auth}`, 'DELETE', null],
  [
    `curl -s "$API/tasks" ${auth} \\\n  -H 'Content-Type: application/json' -d '{"a":[1,null]}'`,
    'POST',
    { a: [1, null] },
  ],
  [`curl -s -X PUT $API/x ${auth} -d '{}'`, 'PUT', {}],
])('%s is read', (command, method, body) => {
  expect(callIn(command, address)).toMatchObject({
    method,
    body,
    headers: expect.arrayContaining([['Authorization', ['Bearer ', { variable: 'KEY' }]]]),
  })
})

test('what stands in a query is encoded, and a variable in an address is kept', () => {
  const query = callIn(`curl -sG "$API/search" --data-urlencode "q=(030) 1&2" ${auth}`, address)
  const variable = callIn(`curl -s "$API/webhooks/$WEBHOOK_ID/test" ${auth}`, address)

  expect(query?.url).toEqual([`${address}/search?q=(030)%201%262`])
  expect(variable?.url).toEqual([`${address}/webhooks/`, { variable: 'WEBHOOK_ID' }, '/test'])
})

test.each([
  'curl -s "$API/me" | jq .id',
  'curl -s "$API/me"; curl -s "$API/me"',
  'FILE=$(curl -s "$API/me")',
  'curl -s "$API/files/$(id)"',
  'curl -s "$API/me" -o file',
  'curl -s "$API/me" "$API/me"',
  `curl -s "$API/me" -d 'a=b'`,
  `curl -s "$API/me" -d 'null'`,
  'curl -s "$API/me" -d "{$X}"',
  'curl -s https://elsewhere.example/me',
  'curl -s "$API/me" -H Authorization',
  'curl',
  'wget "$API/me"',
  '',
])('%s is no single call, and stays as it is', (command) => {
  expect(samplesOf(command, address)).toBeNull()
})

test('a body and an address come out of the shell, of TypeScript and of Python as they went in', () => {
  const quoted = (text: string): string => `'${text.replaceAll("'", `'"'"'`)}'`
  const value = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true })
  const property = fc.property(value, fc.webPath(), (body, path) => {
    const text = JSON.stringify(body)
    const samples = samplesOf(`curl -s ${quoted(address + path)} -H ${quoted('A: $KEY')} -d ${quoted(text)}`, address)
    const ts = samples?.find(({ language }) => language === 'ts')?.code ?? ''

    const fetched: object[] = []
    const call = ts.split('\nconsole.log')[0]?.replace('await ', '') ?? ''
    runInNewContext(call, {
      fetch: (url: string, { body, headers }: { body: string; headers: object }) =>
        fetched.push({ url, body, headers: { ...headers } }),
    })
    expect(fetched).toEqual([{ url: address + path, body: text, headers: { A: '$KEY' } }])
  })
  fc.assert(property)
})

test('nothing of a command is run by the samples of other languages: they are text in quotes', () => {
  const samples = samplesOf(`curl -s "$API/x" -H 'X-A: \`a\` \${b} "c" \\ {d}' ${auth}`, address)

  const [, ts, python, go] = samples?.map(({ code }) => code) ?? []
  expect(ts).toContain(`'X-A': '\`a\` \${b} "c" \\\\ {d}'`)
  expect(python).toContain(`"X-A": "\`a\` \${b} \\"c\\" \\\\ {d}"`)
  expect(go).toContain('request.Header.Set("X-A", "`a` ${b} \\"c\\" \\\\ {d}")')
})
