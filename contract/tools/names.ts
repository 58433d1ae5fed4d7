// How tools are named. Some clients refuse dots, so every tool also has its name with underscores, and calls take both.

export const underscored = (name: string): string => name.replaceAll('.', '_')
