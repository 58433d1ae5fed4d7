// Runs once, before all test files.
import type { TestProject } from 'vitest/node'
import { findServices } from './services.ts'

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { services, summary, close } = await findServices()
  console.log(summary)
  project.provide('services', services)
  return close
}
