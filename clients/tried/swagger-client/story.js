import SwaggerClient from 'swagger-client'
import { tellStory } from '../story.ts'

const { apis } = await new SwaggerClient({
  url: `${process.env.BASE_URL}/api/v1/openapi.json`,
  authorizations: { apiKey: process.env.API_KEY },
})
const { projects } = apis

await tellStory({
  list: async (query) => (await projects.projects_list(query)).body,
  create: async (requestBody) => (await projects.projects_create({}, { requestBody })).body,
  archive: async (id) => (await projects.projects_archive({ id })).body,
  get: async (id) => (await projects.projects_get({ id })).body,
  update: async (id, requestBody) => (await projects.projects_update({ id }, { requestBody })).body,
  problemOf: (error) => JSON.parse(error.response.text),
})
