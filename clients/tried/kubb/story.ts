import { tellStory } from '../story.ts'
import { setConfig } from './generated/.kubb/fetch'
import { projectsArchive, projectsCreate, projectsGet, projectsList, projectsUpdate } from './generated/clients'

setConfig({ baseURL: process.env['BASE_URL']!, headers: { authorization: `Bearer ${process.env['API_KEY']}` } })

await tellStory({
  list: (query) => projectsList(query),
  create: (project) => projectsCreate(project),
  archive: (id) => projectsArchive(id),
  get: (id) => projectsGet(id),
  update: (id, change) => projectsUpdate(id, change),
  problemOf: ({ response }: { response: { data: unknown } }) => response.data,
})
