// Where an attacker would have webhooks lead, and where an honest owner would. Each is tried as an address of a
// webhook, and at the sender, as if it had been stored all the same.
import type { DnsZone } from '../../support/dns-server.ts'

const otherPorts = [
  0, 1, 7, 21, 22, 23, 25, 53, 79, 111, 139, 389, 445, 514, 636, 873, 990, 993, 1023, 1433, 1719, 1720, 1723, 2049,
  2375, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 5672, 6000, 6379, 6566, 6665, 6669, 6679, 6697, 9200, 10_080, 11_211,
  27_017, 65_536, 99_999,
]

/** No address of a webhook at all. */
export const invalid: readonly string[] = [
  '',
  'https://exa mple.com/',
  ...otherPorts.map((port) => `https://example.com:${port}/`),
  ...words(`
    nowhere //93.184.216.34/ https:// https://%00/
    ftp://93.184.216.34/ file:///etc/passwd gopher://93.184.216.34/_x ws://example.com/ data:,x
    javascript:alert(1) unix:/var/run/docker.sock dict://127.0.0.1:11211/stat ldap://127.0.0.1/ blob:https://x/
    https://user@example.com/ https://user:pass@example.com/ https://:pass@example.com/
    https://example.com@127.0.0.1/ https://127.0.0.1@example.com/ https://%61@example.com/
    https://256.1.1.1/ https://1.2.3.4.5/ https://127.0.0.1.1/ https://0x100000000/ https://4294967296/
    https://[fe80::1%25eth0]/ https://[fe80::1%eth0]/ https://[::1/ https://[::g]/ https://[::ffff:127.0.0.256]/
  `),
]

/** Addresses that are known as they stand: nobody is asked for them. */
export const forbiddenHosts = words(`
  # Loopback and the unspecified address, in all the ways that URLs can write them.
  127.0.0.1 127.1 127.0.1 127.255.255.254 127.0.0.1. 2130706433 017700000001 0177.0.0.1 0177.1
  0x7f.0.0.1 0x7f000001 0X7F.1 0x7f.0x0.0x0.0x1 00000177.0.0.1 １２７.０.０.１ 127。0。0。1 ①②⑦.⓪.⓪.①
  %31%32%37.0.0.1 0 0.0.0.0 0x0 0.1.2.3 [::] [::1] [0:0:0:0:0:0:0:1] [0000::0001]
  localhost LOCALHOST localhost. api.localhost ｌｏｃａｌｈｏｓｔ loc%61lhost a.b.localhost.
  # IPv4 within IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP.
  [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:10.0.0.1] [0:0:0:0:0:ffff:a9fe:a9fe] [::ffff:0.0.0.0]
  [::127.0.0.1] [::7f00:1] [::a9fe:a9fe] [::5db8:d822] [::ffff:0:127.0.0.1] [::ffff:0:5db8:d822]
  [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b::5db8:d822] [64:ff9b:1::1] [64:ff9b:1:ffff::7f00:1]
  [2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:5db8:d822::1] [2001::1] [2001:0:7f00:1::] [2001:0:5db8:d822::1]
  [fe80::5efe:7f00:1] [fe80::5efe:10.0.0.1]
  # Private, shared, link-local, unique and site-local.
  10.0.0.1 10.255.255.255 012.0.0.1 0xa.1 167772161 172.16.0.1 172.31.255.255 192.168.0.1 192.168.65.2
  100.64.0.1 100.127.255.255 169.254.0.1 [fe80::1] [febf::1] [fc00::1] [fdff::1] [fec0::1] [feff::1]
  # Metadata services and agents of clouds.
  169.254.169.254 169.254.169.253 169.254.170.2 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518
  168.63.129.16 2822734096 100.100.100.200 192.0.0.192 [fd00:ec2::254] [fd20:ce::254] [::ffff:169.254.169.254]
  # Multicast, broadcast, reserved.
  224.0.0.1 239.255.255.250 255.255.255.255 0xffffffff 240.0.0.1 247.1.1.1 [ff02::1] [ff0e::1] [ff05::1:3]
  # Documentation, benchmarks, protocol assignments, relays, discard, segment routing, outside of 2000::/3.
  192.0.2.1 198.51.100.7 203.0.113.9 198.18.0.1 198.19.255.255 192.0.0.1 192.0.0.170 192.88.99.1
  [2001:db8::1] [3fff::1] [2001:2::1] [2001:10::1] [2001:20::1] [2001:1::1] [2620:4f:8000::1]
  [100::1] [100:0:0:1::1] [5f00::1] [4000::1] [1fff::1] [fe00::1] [8000::1] [e000::1]
`)

/** Names that no registration takes, and that no name server of the internet knows. */
export const internalNames = words(`
  printer ... metadata metadata.google.internal instance-data.ec2.internal db.internal nas.local vault.lan
  host.docker.internal x.home.arpa router.home git.corp x.intranet x.localdomain x.onion x.test
`)

const [ours, ours6] = ['93.184.216.34', '2606:2800:220:1::1']

/**
 * Names that a registration takes, since it asks nobody, with what their servers answer: one address at least is
 * forbidden.
 */
export const forbiddenNames = pairs(`
  loopback.evil.com=127.0.0.1 loopback6.evil.com=::1 127.0.0.1.nip.com=127.0.0.1 zero.evil.com=0.0.0.0
  unspecified.evil.com=:: private.evil.com=10.0.0.1 private-172.evil.com=172.20.1.1 private-192.evil.com=192.168.1.1
  shared.evil.com=100.64.1.1 metadata.evil.com=169.254.169.254 metadata6.evil.com=fd00:ec2::254
  agent.evil.com=168.63.129.16 mapped.evil.com=::ffff:7f00:1 compatible.evil.com=::7f00:1
  nat64.evil.com=64:ff9b::a9fe:a9fe 6to4.evil.com=2002:7f00:1::1 teredo.evil.com=2001:0:7f00:1::1
  link-local.evil.com=fe80::1 site-local.evil.com=fec0::1 multicast.evil.com=224.0.0.1
  broadcast.evil.com=255.255.255.255 documentation.evil.com=203.0.113.1
  mixed.evil.com=93.184.216.34,127.0.0.1 mixed-last.evil.com=93.184.216.34,1.1.1.1,8.8.8.8,10.0.0.1
  mixed-families.evil.com=93.184.216.34,::1 mixed-families-4.evil.com=169.254.169.254,2606:2800:220:1::1
`)

export const unknownNames: readonly string[] = ['nothing.evil.com', 'gone.example.net', 'a'.repeat(64) + '.com']

/** What webhooks are for, each with every connection that may be tried. */
export const permitted: Readonly<Record<string, readonly string[]>> = {
  'https://93.184.216.34/': [`${ours}:443`],
  'https://93.184.216.34:8443/hook': [`${ours}:8443`],
  'https://1572395042/': [`${ours}:443`],
  'http://93.184.216.34/': [`${ours}:80`],
  'https://8.8.8.8/': ['8.8.8.8:443'],
  'https://172.32.0.1/': ['172.32.0.1:443'],
  'https://100.128.0.1/': ['100.128.0.1:443'],
  'https://[2606:2800:220:1::1]/': [`${ours6}:443`],
  'https://[2606:2800:220:1::1]:9443/': [`${ours6}:9443`],
  'https://[2a00:1450:4001:829::200e]/': ['2a00:1450:4001:829::200e:443'],
  'https://[::ffff:93.184.216.34]/': ['::ffff:5db8:d822:443'],
  'https://four.example.com/hook?a=b': [`${ours}:443`],
  'https://FOUR.example.com./': [`${ours}:443`],
  'https://six.example.com/': [`${ours6}:443`],
  'https://both.example.com:1024/': [`${ours}:1024`, `${ours6}:1024`],
  'http://both.example.com/': [`${ours}:80`, `${ours6}:80`],
  'https://several.example.com/': [`${ours}:443`, '1.1.1.1:443', '8.8.8.8:443'],
  'https://alias.example.com/': [`${ours}:443`],
  'https://münchen.example.com/': [`${ours}:443`],
}

const permittedNames = pairs(`
  four.example.com=93.184.216.34 six.example.com=2606:2800:220:1::1
  both.example.com=93.184.216.34,2606:2800:220:1::1 several.example.com=93.184.216.34,1.1.1.1,8.8.8.8
  xn--mnchen-3ya.example.com=93.184.216.34
`)

export const zone: DnsZone = (name, type) => {
  const alias = name === 'alias.example.com' ? [{ type: 'CNAME', value: 'four.example.com' } as const] : []
  const addresses = { ...forbiddenNames, ...permittedNames }[alias[0]?.value ?? name]
  if (addresses === undefined) return { code: 3 }
  const ofType = addresses.filter((address) => address.includes(':') === (type === 'AAAA'))
  return { records: [...alias, ...ofType.map((value) => ({ type, value }))] }
}

/** What stands between spaces, without the lines that explain. */
function words(text: string): string[] {
  return text
    .replaceAll(/^ *#.*$/gm, '')
    .trim()
    .split(/\s+/)
}

function pairs(text: string): Readonly<Record<string, readonly string[]>> {
  const split = words(text).map((word) => word.split('='))
  return Object.fromEntries(split.map(([name = '', addresses = '']) => [name, addresses.split(',')]))
}
