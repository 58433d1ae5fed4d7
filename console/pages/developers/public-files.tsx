// Downloads and documentation pages that the installation serves without a key.
import type { ReactNode } from 'react'
import { publicPaths } from '#contract/route-paths.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { Section } from '../../ui/page.tsx'
import css from './developers-page.module.css'
import { texts } from './texts.ts'

type PublicFile = { readonly path: string; readonly title: string; readonly text: string }

const downloads = (): readonly PublicFile[] => [
  {
    path: publicPaths.json,
    title: texts.openapiJson,
    text: texts.allOperationsAndEventsFor,
  },
  { path: publicPaths.yaml, title: texts.openapiYaml, text: texts.theSameDescriptionInA },
  { path: publicPaths.json30, title: texts.openapi30Json, text: texts.forGeneratorsThatCannotRead },
  {
    path: publicPaths.starter,
    title: texts.starterFiles,
    text: texts.samplesForThisInstallationCurl,
  },
  {
    path: publicPaths.commandLine,
    title: texts.commandLine,
    text: texts.sendRequestsImportExportAnd(location.origin + publicPaths.commandLine),
  },
  {
    path: publicPaths.postman,
    title: texts.postmanCollection,
    text: texts.allOperationsForPostmanAnd,
  },
  { path: publicPaths.bruno, title: texts.brunoCollection, text: texts.allOperationsAsAFolder },
  { path: publicPaths.http, title: texts.httpFile, text: texts.allOperationsForRestClients },
  {
    path: publicPaths.workflows,
    title: texts.arazzoWorkflows,
    text: texts.importsKeepingACopyKey,
  },
  {
    path: publicPaths.settings,
    title: texts.settingsApiJson,
    text: texts.theApiThatThisConsole,
  },
]

const documentation: readonly PublicFile[] = [
  { path: publicPaths.docs, title: texts.guides, text: texts.howToUseTheApi },
  { path: publicPaths.reference, title: texts.apiReference, text: texts.allOperationsDescribedAndReady },
  { path: publicPaths.errors, title: texts.errors, text: texts.allErrorCodesWithExamples },
  { path: publicPaths.scopes, title: texts.scopes, text: texts.allScopesAndPresetsFor },
  { path: publicPaths.changelog, title: texts.changelog, text: texts.changesInEachRelease },
]

export const Downloads = (): ReactNode => (
  <Section title={texts.downloads} about={texts.noApiKeyIsNeeded}>
    <Files files={downloads()} icon="download" isDownload />
  </Section>
)

export const Documentation = (): ReactNode => (
  <Section title={texts.documentation}>
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
