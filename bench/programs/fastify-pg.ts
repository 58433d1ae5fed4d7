// The service's peer: plain fastify with one route to list and one to create, which only run their statements.
import { fastify } from 'fastify'
import { Pool } from 'pg'
import { readPlan, report } from '../measure/plan.ts'
import { createProject, listProjects, poolSize } from '../peers/project-rows.ts'

export type Plan = { readonly database: string }

const { database } = readPlan() as Plan
const pool = new Pool({ connectionString: database, max: poolSize })
const app = fastify({ logger: false })

const workspaceOf = (headers: Record<string, string | string[] | undefined>): string =>
  String(headers['x-workspace-id'])

app.get<{ Querystring: { limit: string } }>('/api/v1/projects', ({ headers, query }) =>
  listProjects(pool, workspaceOf(headers), Number(query.limit)),
)
app.post<{ Body: { name: string } }>('/api/v1/projects', async ({ headers, body }, reply) => {
  const project = await createProject(pool, workspaceOf(headers), body.name)
  return reply.code(201).send(project)
})
report({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
process.once('SIGTERM', () => process.exit(0))
