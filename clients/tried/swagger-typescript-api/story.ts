import { tellStory } from '../story.ts'
import { Api } from './generated/api'

const { api } = new Api({
  baseUrl: process.env['BASE_URL']!,
  baseApiParams: { headers: { authorization: `Bearer ${process.env['API_KEY']}` }, format: 'json' },
})

await tellStory({
  list: async (query) => (await api.projectsList(query)).data,
  create: async (project) => (await api.projectsCreate(project)).data,
  archive: async (id) => (await api.projectsArchive(id)).data,
  get: async (id) => (await api.projectsGet(id)).data,
  update: async (id, change) => (await api.projectsUpdate(id, change)).data,
  problemOf: ({ error }) => error,
})
