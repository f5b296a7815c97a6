// postject brings no types of its own.
declare module 'postject' {
  export function inject(
    path: string, resource: string, data: Buffer, options?: { sentinelFuse?: string; machoSegmentName?: string; overwrite?: boolean },
  ): Promise<void>
}
