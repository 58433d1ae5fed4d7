import { ok } from '@oazapfts/runtime'
import { tellStory } from '../story.ts'
import * as api from './generated/api'

api.defaults.baseUrl = process.env['BASE_URL']!
api.defaults.headers = { authorization: `Bearer ${process.env['API_KEY']}` }

await tellStory({
  list: (query) => ok(api.projectsList(query)),
  create: (project) => ok(api.projectsCreate(project)),
  archive: (id) => ok(api.projectsArchive(id)),
  get: (id) => ok(api.projectsGet(id)),
  update: (id, change) => ok(api.projectsUpdate(id, change)),
  problemOf: ({ data }: { data: unknown }) => data,
})
