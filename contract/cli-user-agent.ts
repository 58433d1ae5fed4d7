/** The User-Agent of the operator's command line, by which the audit log tells it from the console. */
export const cliUserAgent = 'workspace-integration-api-cli'
