// The part of Swagger UI that the reference uses. The package has no types.
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  type Props = { readonly getComponent: (name: string, isContainer?: boolean) => unknown; readonly text?: string }
  type Component = (props: Props) => unknown
  type System = { readonly React: { readonly createElement: (...args: readonly unknown[]) => unknown } }
  const SwaggerUI: (options: {
    readonly domNode: HTMLElement
    readonly layout: string
    readonly plugins: readonly ((system: System) => { readonly components: Readonly<Record<string, Component>> })[]
    readonly [option: string]: unknown
  }) => {
    preauthorizeApiKey(scheme: string, key: string): void
    readonly specActions: { updateJsonSpec(spec: object): void; updateLoadingStatus(status: 'success'): void }
  }
  export default SwaggerUI
}
