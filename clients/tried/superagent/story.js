import superagent from 'superagent'
import { tellStory } from '../story.ts'

const api = `${process.env.BASE_URL}/api/v1`
const agent = superagent.agent().auth(process.env.API_KEY, { type: 'bearer' })

await tellStory({
  list: async (query) => (await agent.get(`${api}/projects`).query(query)).body,
  create: async (project) => (await agent.post(`${api}/projects`).send(project)).body,
  archive: async (id) => (await agent.post(`${api}/projects/${id}/archive`)).body,
  get: async (id) => (await agent.get(`${api}/projects/${id}`)).body,
  update: async (id, change) => (await agent.patch(`${api}/projects/${id}`).send(change)).body,
  problemOf: (error) => error.response.body,
})
