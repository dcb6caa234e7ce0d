import { matchesGlob, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { SLOW } from './division.ts'

/** Slow files come first, in the order of the division, so that short ones fill the end. Files of one project follow each other and share workers. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      if (project.name === 'replacing') return -1
      const path = relative(project.config.root, moduleId)
      const place = SLOW.findIndex((pattern) => matchesGlob(path, pattern))
      return place === -1 ? SLOW.length : place
    }
    return (await super.sort(files)).map((file) => ({ file, rank: rank(file) })).toSorted((a, b) => a.rank - b.rank).map(({ file }) => file)
  }
}
