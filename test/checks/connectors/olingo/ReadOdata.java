// Reads the table emails with Apache Olingo: the metadata, all pages, and a filter. Prints an entity a line, as JSON.
// Arguments: the URL of the service, the key, and a filter.

import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.util.LinkedHashMap;
import org.apache.olingo.client.api.ODataClient;
import org.apache.olingo.client.api.domain.ClientEntitySet;
import org.apache.olingo.client.core.ODataClientFactory;
import org.apache.olingo.client.core.http.BasicAuthHttpClientFactory;

public class ReadOdata {
  public static void main(String[] given) throws Exception {
    String root = given[0];
    ODataClient client = ODataClientFactory.getClient();
    client.getConfiguration().setHttpClientFactory(new BasicAuthHttpClientFactory("any", given[1]));
    var requests = client.getRetrieveRequestFactory();
    // Its own request for metadata also loads the vocabularies that the document names, from the internet.
    var metadata = requests.getRawRequest(URI.create(root + "/$metadata")).execute().getRawResponse();
    var container = client.getReader().readMetadata(metadata).getEntityContainer();
    var type = container.getEntitySet("emails").getEntityType();
    var types = new LinkedHashMap<String, String>();
    for (String name : type.getPropertyNames()) types.put(name, type.getProperty(name).getType().getName());
    var json = new ObjectMapper();
    System.out.println(json.writeValueAsString(types));
    URI all = client.newURIBuilder(root).appendEntitySetSegment("emails").build();
    print(client, all, json);
    System.out.println("filtered");
    print(client, client.newURIBuilder(root).appendEntitySetSegment("emails").filter(given[2]).build(), json);
  }

  private static void print(ODataClient client, URI first, ObjectMapper json) throws Exception {
    for (URI next = first; next != null; ) {
      ClientEntitySet page = client.getRetrieveRequestFactory().getEntitySetRequest(next).execute().getBody();
      for (var entity : page.getEntities()) {
        var row = new LinkedHashMap<String, Object>();
        for (var property : entity.getProperties()) {
          if (property.hasPrimitiveValue()) row.put(property.getName(), valueOf(property.getPrimitiveValue().toValue()));
          else if (property.hasNullValue()) row.put(property.getName(), null);
        }
        System.out.println(json.writeValueAsString(row));
      }
      next = page.getNext();
    }
  }

  private static Object valueOf(Object value) {
    return value == null || value instanceof Number ? value : value instanceof java.util.Calendar ? ((java.util.Calendar) value).toInstant().toString() : value.toString();
  }
}
