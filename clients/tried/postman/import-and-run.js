// The description, imported into Postman as a user does it: by its address, then the key is set and every request is sent
// once as it stands. Ends with 1 where more than `refusedMax` requests are refused for their form.
//
// BASE_URL and API_KEY name the installation. IMPORT=default takes the importer's own settings, which send every optional
// parameter with a made-up value; the settings otherwise are "Parameter generation: Example" and "Enable optional
// parameters: off".
import converter from 'openapi-to-postmanv2'
import newman from 'newman'

const { BASE_URL, API_KEY, IMPORT = 'examples' } = process.env
/** A placeholder where the description has no example that fits. */
const refusedMax = 6
const settings = {
  default: { folderStrategy: 'Tags' },
  examples: { folderStrategy: 'Tags', parametersResolution: 'Example', enableOptionalParameters: false },
}[IMPORT]
if (BASE_URL === undefined || API_KEY === undefined || settings === undefined) {
  throw new Error('BASE_URL and API_KEY must be set, and IMPORT be "examples" or "default"')
}

const explanations = {
  done: '2xx or 304',
  'found nothing': '404, since the id in the path is a placeholder',
  state: '409, 410 or 412, since objects and versions are placeholders',
  refused: 'another 4xx: the form of the request was not taken',
  failed: '5xx, or no answer',
}

const response = await fetch(`${BASE_URL}/api/v1/openapi.json`)
const collection = await converted(await response.text())
const answers = await answersTo(collection)

const groups = Map.groupBy(answers, groupOf)
for (const name of ['done', 'found nothing', 'state', 'refused', 'failed']) {
  const members = groups.get(name) ?? []
  console.log(`${String(members.length).padStart(4)} ${name}: ${explanations[name]}`)
  if (name !== 'done' && name !== 'found nothing') {
    for (const each of members) console.log(`       ${each.status} ${each.code}, ${each.method} ${each.path}: ${each.detail}`)
  }
}
const count = (name) => groups.get(name)?.length ?? 0
console.log(`${answers.length - count('refused') - count('failed')} of ${answers.length} have a form that is taken`)
if (answers.length < 100 || count('failed') > 0 || count('refused') > refusedMax) process.exitCode = 1

function converted(data) {
  return new Promise((resolve, reject) => {
    converter.convertV2({ type: 'string', data }, settings, (error, { result, reason, output } = {}) => {
      if (error !== null && error !== undefined) reject(error)
      else if (!result) reject(new Error(reason))
      else resolve(output[0].data)
    })
  })
}

/** Only the key is set: every other variable keeps the value that the import gave it. */
function answersTo(collection) {
  const answers = []
  return new Promise((resolve, reject) => {
    newman
      .run({
        collection,
        envVar: [{ key: 'bearerToken', value: API_KEY }],
        timeoutRequest: 30_000,
      })
      .on('request', (error, { request, response: answer }) => answers.push(answerOf(error, request, answer)))
      .on('done', (error) => (error ? reject(error) : resolve(answers)))
  })
}

function answerOf(error, request, answer) {
  const asked = { method: request.method, path: request.url.getPathWithQuery() }
  if (error) return { ...asked, status: 0, code: error.code, detail: error.message }
  const { code = '', detail = '', errors = [] } = problemIn(answer)
  const places = errors.map(({ pointer, parameter, detail: why }) => `${pointer ?? parameter ?? ''} ${why}`)
  return { ...asked, status: answer.code, code, detail: [detail, ...places].join(' ') }
}

function problemIn(answer) {
  try {
    return JSON.parse(answer.text())
  } catch {
    return {}
  }
}

function groupOf({ status }) {
  if (status === 0 || status >= 500) return 'failed'
  if (status < 400) return 'done'
  if (status === 404) return 'found nothing'
  return [409, 410, 412].includes(status) ? 'state' : 'refused'
}
