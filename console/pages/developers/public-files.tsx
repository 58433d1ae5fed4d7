// Downloads and documentation pages that the installation serves without a key.
import type { ReactNode } from 'react'
import { publicPaths } from '#contract/route-paths.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import css from './developers-page.module.css'

type PublicFile = { readonly path: string; readonly title: string; readonly text: string }

const downloads: readonly PublicFile[] = [
  {
    path: publicPaths.json,
    title: 'OpenAPI, JSON',
    text: 'All operations and events, for code generators and clients.',
  },
  { path: publicPaths.yaml, title: 'OpenAPI, YAML', text: 'The same description in a more readable format.' },
  { path: publicPaths.json30, title: 'OpenAPI 3.0, JSON', text: 'For generators that cannot read OpenAPI 3.1.' },
  {
    path: publicPaths.starter,
    title: 'Starter files',
    text: 'Samples for this installation: curl, TypeScript, Python and MCP clients, and webhook endpoints for Express, Fastify, Next.js, FastAPI and Go.',
  },
  {
    path: publicPaths.commandLine,
    title: 'Command line',
    text: 'Send requests, import, export and receive webhooks on your machine. Install it with npm install -g and this URL.',
  },
  {
    path: publicPaths.postman,
    title: 'Postman collection',
    text: 'All operations, for Postman and tools that import Postman collections.',
  },
  { path: publicPaths.bruno, title: 'Bruno collection', text: 'All operations, as a folder to unpack and open.' },
  { path: publicPaths.http, title: 'HTTP file', text: 'All operations, for REST clients in editors.' },
  {
    path: publicPaths.workflows,
    title: 'Arazzo workflows',
    text: 'Imports, keeping a copy, key rotation and webhooks, request by request.',
  },
  {
    path: publicPaths.settings,
    title: 'Settings API, JSON',
    text: 'The API that this console uses, including live streams.',
  },
]

const documentation: readonly PublicFile[] = [
  { path: publicPaths.docs, title: 'Guides', text: 'How to use the API, MCP and webhooks, with samples.' },
  { path: publicPaths.reference, title: 'API reference', text: 'All operations, described and ready to try.' },
  { path: publicPaths.errors, title: 'Errors', text: 'All error codes, with examples and solutions.' },
  { path: publicPaths.scopes, title: 'Scopes', text: 'All scopes, and presets for common keys.' },
  { path: publicPaths.changelog, title: 'Changelog', text: 'Changes in each release.' },
]

export const Downloads = (): ReactNode => (
  <Section title="Downloads" about="No API key is needed.">
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
