// What became of requests that were imported from the description and sent as they stood, with nothing but a key: how many
// are taken as they are, and why the others are not.

/** So many requests may be refused for the values of their examples, such as the id of an object that was never made. */
const refusedMax = 6
const kinds = {
  done: '2xx or 304',
  missing: '404: the id in the path is an example',
  outdated: '409, 410 or 412: the object, or its version, is an example',
  refused: 'any other 4xx',
  failed: '5xx, or no answer',
}

/** Each answer: method, path, status (0 where there was none) and text. Prints a summary and sets the exit code. */
export function judge(answers) {
  const byKind = Map.groupBy(answers, kindOf)
  const count = (kind) => byKind.get(kind)?.length ?? 0
  for (const [kind, meaning] of Object.entries(kinds))
    console.log(`${String(count(kind)).padStart(4)} ${kind}: ${meaning}`)
  for (const kind of ['outdated', 'refused', 'failed']) {
    for (const { method, path, status, text } of byKind.get(kind) ?? []) {
      console.log(`     ${kind}: ${method} ${path} ${status} ${reasonIn(text)}`)
    }
  }
  const taken = answers.length - count('refused') - count('failed')
  console.log(`${taken} of ${answers.length} requests are taken as they are imported`)
  if (answers.length < 100 || count('failed') > 0 || count('refused') > refusedMax) process.exitCode = 1
}

function kindOf({ status }) {
  if (status === 0 || status >= 500) return 'failed'
  if (status < 400) return 'done'
  if (status === 404) return 'missing'
  return [409, 410, 412].includes(status) ? 'outdated' : 'refused'
}

/** The code and the sentence of a problem (RFC 9457), or the beginning of what there is. */
function reasonIn(text) {
  try {
    const { code, detail } = JSON.parse(text)
    return `${code}: ${detail}`
  } catch {
    return text.slice(0, 200)
  }
}
