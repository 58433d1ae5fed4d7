import { tellStory } from '../story.ts'
import { client } from './generated/client.gen'
import { projectsArchive, projectsCreate, projectsGet, projectsList, projectsUpdate } from './generated'

client.setConfig({ baseUrl: process.env['BASE_URL']!, auth: process.env['API_KEY']! })
const throwOnError = true

await tellStory({
  list: async (query) => (await projectsList({ query, throwOnError })).data,
  create: async (body) => (await projectsCreate({ body, throwOnError })).data,
  archive: async (id) => (await projectsArchive({ path: { id }, throwOnError })).data,
  get: async (id) => (await projectsGet({ path: { id }, throwOnError })).data,
  update: async (id, body) => (await projectsUpdate({ path: { id }, body, throwOnError })).data,
  problemOf: (problem) => problem,
})
