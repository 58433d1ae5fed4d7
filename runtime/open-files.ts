// How many files and connections the operating system lets this process have open. Node itself raises the limit of a
// start (`ulimit -n`) as far as it may.

type Report = {
  /** Names of hosts are looked up for it otherwise. */
  excludeNetwork: boolean
  getReport(): { readonly userLimits?: { readonly open_files?: { readonly soft: number | 'unlimited' } } }
}

/** Null where there is no limit, or the system tells none. */
export function openFilesMax(): number | null {
  const report = process.report as unknown as Report
  const before = report.excludeNetwork
  report.excludeNetwork = true
  const soft = report.getReport().userLimits?.open_files?.soft
  report.excludeNetwork = before
  return typeof soft === 'number' ? soft : null
}
