// The Postman collection as it is downloaded, and every request of it sent once by newman. Of its variables the key alone
// is set.
import newman from 'newman'
import { judge } from '../sent-as-imported.js'

const { BASE_URL, API_KEY } = process.env

const collection = await (await fetch(`${BASE_URL}/docs/collections/postman.json`)).json()
const variable = collection.variable.map((each) => (each.key === 'key' ? { ...each, value: API_KEY } : each))
const answers = []
await new Promise((resolve, reject) => {
  newman
    // A key has a hundred requests at once, and then ten a second.
    .run({ collection: { ...collection, variable }, timeoutRequest: 30_000, delayRequest: 50 })
    .on('request', (error, { request, response }) =>
      answers.push({
        method: request.method,
        path: request.url.getPathWithQuery(),
        status: response?.code ?? 0,
        text: error?.message ?? response.text(),
      }),
    )
    .on('done', (error) => (error ? reject(error) : resolve()))
})
judge(answers)
