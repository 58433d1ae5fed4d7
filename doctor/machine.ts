// The machine: the version of Node, the limit of open files, room and rights where a process writes.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { openFilesMax } from '#runtime/open-files.ts'
import { defaultCallerBounds, connectionsThatFit } from '../gateway/overload/address-limits.ts'
import { found, levelOf, type Check, type Finding } from './finding.ts'

const nodeMin = 24
const mib = 1024 * 1024
const roomWanted = 1024 * mib
const roomNeeded = 64 * mib
/** Of a process without connections of callers. */
const filesWanted = 1_024
const filesNeeded = 256

export const nodeVersion: Check = {
  about: 'Node',
  look: async () => {
    const isNew = Number(process.versions.node.split('.')[0]) >= nodeMin
    return [found(isNew ? 'ok' : 'failure', 'Node', `Version ${process.versions.node}; ${nodeMin} or newer is needed.`)]
  },
}

/** `connectionsMax`: null for a process that callers do not connect to. */
export const openFiles = (connectionsMax: number | null, limit = openFilesMax()): Check => ({
  about: 'Open files',
  look: async () => [openFilesFound(connectionsMax, limit)],
})

function openFilesFound(connectionsMax: number | null, limit: number | null): Finding {
  if (limit === null) return found('ok', 'Open files', 'There is no limit.')
  if (connectionsMax === null)
    return found(
      levelOf(limit, filesWanted, filesNeeded),
      'Open files',
      `The limit is ${limit}; ${filesWanted} are enough.`,
    )
  const fit = connectionsThatFit({ ...defaultCallerBounds, connectionsMax }, limit)
  if (fit === connectionsMax) return found('ok', 'Open files', `The limit of ${limit} has room for CONNECTIONS_MAX.`)
  return found(
    levelOf(limit, Infinity, filesNeeded),
    'Open files',
    `The limit of ${limit} has room for ${fit} connections of callers, and CONNECTIONS_MAX is ${connectionsMax}. Raise the limit (ulimit -n) or lower the setting.`,
  )
}

/** A folder that is not there yet is made at the start of the process, if its user may. */
export const folder = (setting: string, path: string): Check => ({
  about: setting,
  look: async () => {
    const wanted = resolve(path)
    let at = wanted
    while (!existsSync(at)) at = dirname(at)
    try {
      accessSync(at, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch {
      return [found('failure', setting, `This user may not write to ${at}.`)]
    }
    const { bavail, bsize } = statfsSync(at)
    const room = bavail * bsize
    const left = `its disk has ${Math.floor(room / mib)} MiB left.`
    const level = levelOf(room, roomWanted, roomNeeded)
    if (at === wanted) return [found(level, setting, `${at} can be written to, and ${left}`)]
    const missing = `${wanted} is not there. The process makes it when it starts, unless a disk is missing there; ${left}`
    return [found(level === 'ok' ? 'warning' : level, setting, missing)]
  },
})
