require 'json'
require 'net/http'
require_relative '../story'

API = "#{ENV.fetch('BASE_URL')}/api/v1".freeze

module Client
  module_function

  def call(kind, path, body = nil)
    uri = URI(API + path)
    request = kind.new(uri, { 'Authorization' => "Bearer #{ENV.fetch('API_KEY')}" })
    if body
      request.content_type = 'application/json'
      request.body = JSON.generate(body)
    end
    response = Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
    [response.code.to_i, JSON.parse(response.body)]
  end

  def list(query) = call(Net::HTTP::Get, "/projects?#{URI.encode_www_form(query)}")
  def create(project) = call(Net::HTTP::Post, '/projects', project)
  def archive(id) = call(Net::HTTP::Post, "/projects/#{id}/archive")
  def get(id) = call(Net::HTTP::Get, "/projects/#{id}")
  def update(id, change) = call(Net::HTTP::Patch, "/projects/#{id}", change)
end

tell_story(Client)
