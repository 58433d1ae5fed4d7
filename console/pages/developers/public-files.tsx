// What the installation serves without a key: files to be downloaded, pages to be read.
import type { ReactNode } from 'react'
import { publicPaths } from '#contract/route-paths.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import css from './developers-page.module.css'

type PublicFile = { readonly path: string; readonly title: string; readonly text: string }

const downloads: readonly PublicFile[] = [
  { path: publicPaths.json, title: 'OpenAPI, JSON', text: 'Every call and every event, for generators and clients.' },
  { path: publicPaths.yaml, title: 'OpenAPI, YAML', text: 'The same, for people to read.' },
  {
    path: publicPaths.starter,
    title: 'Starter files',
    text: 'Samples that run against this address: curl, TypeScript, Python, MCP clients. Webhook receivers for Express, Fastify, Next, FastAPI and Go.',
  },
  { path: publicPaths.settings, title: 'Settings API, JSON', text: 'What this page itself calls, live streams too.' },
]

const documentation: readonly PublicFile[] = [
  { path: publicPaths.docs, title: 'Start here', text: 'What this API is, and where to go on.' },
  { path: publicPaths.errors, title: 'Errors', text: 'Each code with its meaning, an example and what to do.' },
  { path: publicPaths.scopes, title: 'Scopes', text: 'What each allows, and presets for usual keys.' },
  { path: publicPaths.changelog, title: 'Changelog', text: 'What has changed, release by release.' },
]

export const Downloads = (): ReactNode => (
  <Section title="Downloads" about="They need no key.">
    <Files files={downloads} icon="download" isDownload />
  </Section>
)

export const Documentation = (): ReactNode => (
  <Section title="Documentation">
    <Files files={documentation} icon="book" />
  </Section>
)

const Files = ({
  files,
  icon,
  isDownload = false,
}: {
  readonly files: readonly PublicFile[]
  readonly icon: IconName
  readonly isDownload?: boolean
}): ReactNode => (
  <ul className={css.files}>
    {files.map(({ path, title, text }) => (
      <li key={path}>
        <a className={css.file} href={path} download={isDownload || undefined}>
          <Icon name={icon} />
          <span className={css.title}>{title}</span>
          <span className={css.text}>{text}</span>
          <code className={css.path}>{path}</code>
        </a>
      </li>
    ))}
  </ul>
)
