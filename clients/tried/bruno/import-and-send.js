// The description as it is downloaded, imported by Bruno's own converter, and every request of the collection sent once, with
// the headers and parameters that the import switched on. Of all variables the key alone is set.
import { setTimeout } from 'node:timers/promises'
import converters from '@usebruno/converters'
import { judge } from '../sent-as-imported.js'

const { BASE_URL, API_KEY } = process.env

const description = await fetch(`${BASE_URL}/api/v1/openapi.json`)
const collection = converters.openApiToBruno(await description.json())
const { mode } = collection.root.request.auth
if (mode !== 'bearer') throw new Error(`The collection sends its key as ${mode}`)
const [environment] = collection.environments
const variables = Object.fromEntries(environment.variables.map(({ name, value }) => [name, value]))

const answers = []
for (const item of requestsIn(collection)) {
  answers.push(await send(item.request))
  // A key has a hundred requests at once, and then ten a second.
  await setTimeout(50)
}
judge(answers)

function requestsIn({ items, request, ...rest }) {
  return items === undefined ? [{ request, ...rest }] : items.flatMap(requestsIn)
}

async function send({ method, url, params, headers, body }) {
  const on = (type) => params.filter((each) => each.type === type && each.enabled)
  const path = on('path').reduce((made, { name, value }) => made.replace(`:${name}`, encodeURIComponent(value)), url)
  const query = new URLSearchParams(on('query').map(({ name, value }) => [name, value]))
  const address = path.replace(/\{\{(\w+)\}\}/g, (_all, name) => variables[name]) + (query.size > 0 ? `?${query}` : '')
  const told = headers.filter(({ enabled }) => enabled).map(({ name, value }) => [name, value])
  const hasBody = body.mode === 'json'
  const answer = { method, path: address.replace(BASE_URL, '') }
  try {
    const response = await fetch(address, {
      method,
      headers: [
        ...told,
        ['authorization', `Bearer ${API_KEY}`],
        ...(hasBody ? [['content-type', 'application/json']] : []),
      ],
      ...(hasBody && { body: body.json }),
      signal: AbortSignal.timeout(30_000),
    })
    return { ...answer, status: response.status, text: await response.text() }
  } catch (error) {
    return { ...answer, status: 0, text: `${error.message} ${error.cause?.message ?? ''}` }
  }
}
