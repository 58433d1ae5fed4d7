import type { getProject } from '#contract/projects.ts'
import type { Handler } from '../handler.ts'
import { findProject } from './rows.ts'

export const get: Handler<typeof getProject> = ({ id }, { db, workspaceId }) => findProject(db, workspaceId, id)
