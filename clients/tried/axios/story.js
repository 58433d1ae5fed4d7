import axios from 'axios'
import { tellStory } from '../story.ts'

const api = axios.create({
  baseURL: `${process.env.BASE_URL}/api/v1`,
  headers: { Authorization: `Bearer ${process.env.API_KEY}` },
})

await tellStory({
  list: async (params) => (await api.get('/projects', { params })).data,
  create: async (project) => (await api.post('/projects', project)).data,
  archive: async (id) => (await api.post(`/projects/${id}/archive`)).data,
  get: async (id) => (await api.get(`/projects/${id}`)).data,
  update: async (id, change) => (await api.patch(`/projects/${id}`, change)).data,
  problemOf: (error) => error.response.data,
})
