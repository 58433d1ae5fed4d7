// What this machine's hosts file (hosts(5)) says of a name. It is read each time: the answers are remembered elsewhere.
import type { LookupAddress } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

export async function hostsFileAddresses(name: string, file = '/etc/hosts'): Promise<LookupAddress[]> {
  return addressesIn(await readFile(file, 'utf8').catch(() => ''), name)
}

function addressesIn(hostsFile: string, name: string): LookupAddress[] {
  const wanted = name.replace(/\.$/, '').toLowerCase()
  return hostsFile.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    const family = isIP(address)
    return family > 0 && names.includes(wanted) ? [{ address, family }] : []
  })
}
