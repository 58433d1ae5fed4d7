import { OpenAPIClientAxios } from 'openapi-client-axios'
import { tellStory } from '../story.ts'

const api = new OpenAPIClientAxios({
  definition: `${process.env.BASE_URL}/api/v1/openapi.json`,
  withServer: { url: process.env.BASE_URL },
  axiosConfigDefaults: { headers: { authorization: `Bearer ${process.env.API_KEY}` } },
})
const client = await api.init()

await tellStory({
  list: async (query) => (await client['projects.list'](query)).data,
  create: async (project) => (await client['projects.create'](null, project)).data,
  archive: async (id) => (await client['projects.archive'](id)).data,
  get: async (id) => (await client['projects.get'](id)).data,
  update: async (id, change) => (await client['projects.update'](id, change)).data,
  problemOf: (error) => error.response.data,
})
