// The description as it is downloaded, imported by Postman's own converter, and every request of the collection sent once by
// newman. Of all variables the key alone is set: what is wrong with the address, the form or an example shows.
//
// The settings of the import are those that Postman offers as "Parameter generation: Example" and "Enable optional
// parameters: off". IMPORT=default takes the converter's own, which send every optional parameter with a placeholder such
// as `<dateTime>`: no API can take those, so it is for comparing.
import newman from 'newman'
import converter from 'openapi-to-postmanv2'
import { judge } from '../sent-as-imported.js'

const { BASE_URL, API_KEY, IMPORT = 'examples' } = process.env
const settings = {
  default: { folderStrategy: 'Tags' },
  examples: { folderStrategy: 'Tags', parametersResolution: 'Example', enableOptionalParameters: false },
}

const description = await fetch(`${BASE_URL}/api/v1/openapi.json`)
judge(await sent(await imported(await description.text())))

function imported(data) {
  return new Promise((resolve, reject) => {
    converter.convertV2({ type: 'string', data }, settings[IMPORT], (error, made) => {
      if (made?.result) resolve(made.output[0].data)
      else reject(error ?? new Error(made.reason))
    })
  })
}

function sent(collection) {
  const answers = []
  const take = (error, { request, response }) =>
    answers.push({
      method: request.method,
      path: request.url.getPathWithQuery(),
      status: response?.code ?? 0,
      text: error?.message ?? response.text(),
    })
  return new Promise((resolve, reject) => {
    newman
      // A key has a hundred requests at once, and then ten a second.
      .run({ collection, envVar: [{ key: 'bearerToken', value: API_KEY }], timeoutRequest: 30_000, delayRequest: 50 })
      .on('request', take)
      .on('done', (error) => (error ? reject(error) : resolve(answers)))
  })
}
