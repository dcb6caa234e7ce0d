export const NODE_MIN: number
export function isEnough(version?: string): boolean
export function nodeBeside(self: string, of?: { readonly platform?: string; readonly arch?: string; readonly version?: string }): { node: string; missing?: undefined } | { missing: string; node?: undefined }
