import { tellStory } from '../story.ts'
import { OpenAPI, ProjectsService, type ApiError } from './generated/index'

OpenAPI.BASE = process.env['BASE_URL']!
OpenAPI.TOKEN = process.env['API_KEY']!

await tellStory({
  list: (query) => ProjectsService.projectsList(query),
  create: (requestBody) => ProjectsService.projectsCreate({ requestBody }),
  archive: (id) => ProjectsService.projectsArchive({ id }),
  get: (id) => ProjectsService.projectsGet({ id }),
  update: (id, requestBody) => ProjectsService.projectsUpdate({ id, requestBody }),
  problemOf: ({ body }: ApiError) => body,
})
