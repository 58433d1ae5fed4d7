import { tellStory } from '../story.ts'
import { projectsArchive, projectsCreate, projectsGet, projectsList, projectsUpdate } from './generated/api'

const options = { headers: { authorization: `Bearer ${process.env['API_KEY']}` } }

/** What it generates answers with the status and the parsed body, and throws nothing. */
async function read<T>(call: Promise<{ status: number; data: T }>): Promise<T> {
  const { status, data } = await call
  if (status >= 400) throw data
  return data
}

await tellStory({
  list: (query) => read<unknown>(projectsList(query, options)),
  create: (project) => read<unknown>(projectsCreate(project, options)),
  archive: (id) => read<unknown>(projectsArchive(id, options)),
  get: (id) => read<unknown>(projectsGet(id, undefined, options)),
  update: (id, change) => read<unknown>(projectsUpdate(id, change, options)),
  problemOf: (problem) => problem,
})
