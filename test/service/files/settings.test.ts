import { expect, test } from 'vitest'
import { fileContradictions } from '../../../service/files/settings.ts'

const all = {
  filesS3Endpoint: 'https://s3.example.com',
  filesS3Bucket: 'files',
  filesS3AccessKeyId: 'id',
  filesS3SecretAccessKey: 'secret',
}

test.each(Object.keys(all))('S3 without %s contradicts itself, and so does that setting alone', (name) => {
  const alone = { [name]: all[name as keyof typeof all] }
  const expected = [expect.stringMatching(/^FILES_S3_ENDPOINT, .* go together$/)]

  expect(fileContradictions({ ...all, [name]: null })).toEqual(expected)
  expect(fileContradictions(alone)).toEqual(expected)
})

test('all settings of S3, and none of them, are whole', () => {
  expect([fileContradictions(all), fileContradictions({})]).toEqual([[], []])
})
