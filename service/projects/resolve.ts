import type { Project } from '#contract/projects.ts'
import type { Call } from '../execution/handler.ts'
import { assertKeyFree } from './unique-key.ts'

/** Refuses a key that is taken. A project without a key gets one in the insert itself (`freeKey`). */
export async function resolve(next: Project, before: Project | null, call: Call): Promise<Project> {
  if (next.key !== '' && next.key !== before?.key) await assertKeyFree(next, call)
  return next
}
