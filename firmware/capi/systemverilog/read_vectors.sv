// Reads a pack of `sweep vectors` in both of its forms, as read_vectors.c does: +lines=FILE +npz=FILE +member=NAME. The
// widths in bytes of a record's numbers are read from the array's header.
module read_vectors;
    string  path, member, name, header;
    int     text, archive, letters, extra, count, vectors;
    longint size, start;
    int     widths[128];
    logic [63:0] number, same, sum;

    function automatic longint little(input int width);
        longint value = 0;
        for (int k = 0; k < width; k++) value |= longint'($fgetc(archive)) << (8 * k);
        return value;
    endfunction

    function automatic void skip(input longint bytes);
        for (longint k = 0; k < bytes; k++) void'($fgetc(archive));
    endfunction

    initial begin
        if (!$value$plusargs("lines=%s", path)) $fatal(1, "+lines=FILE is missing");
        text = $fopen(path, "r");
        if (!$value$plusargs("npz=%s", path)) $fatal(1, "+npz=FILE is missing");
        archive = $fopen(path, "rb");
        if (!$value$plusargs("member=%s", member)) $fatal(1, "+member=NAME is missing");
        if (text == 0 || archive == 0) $fatal(1, "a file cannot be read");
        // The local headers of the archive.
        forever begin
            if (little(4) != 64'h04034B50) $fatal(1, "no array %s", member);
            skip(14);
            size = little(4);
            skip(4);
            letters = int'(little(2));
            extra = int'(little(2));
            name = "";
            for (int k = 0; k < letters; k++) name = {name, string'(8'($fgetc(archive)))};
            skip(longint'(extra));
            if (name == member) break;
            skip(size);
        end
        // NumPy's header: `('a', '<u2'), ('x', '|u1', (32,)), ...`, and the shape.
        skip(8);
        size = little(2);
        header = "";
        for (longint k = 0; k < size; k++) header = {header, string'(8'($fgetc(archive)))};
        count = 0;
        vectors = 0;
        for (int k = 1; k < header.len() - 8; k++) begin
            if (header.getc(k) == "u" && (header.getc(k - 1) == "<" || header.getc(k - 1) == "|")) begin
                int times;
                times = 1;
                if (header.getc(k + 3) == ",") begin
                    times = 0;
                    for (int at = k + 6; header.getc(at) != ","; at++) times = 10 * times + (int'(header.getc(at)) - 48);
                end
                for (int at = 0; at < times; at++) begin
                    widths[count] = int'(header.getc(k + 1)) - 48;
                    count++;
                end
            end
            if (header.substr(k, k + 7) == "'shape':")
                for (int at = k + 10; header.getc(at) != ","; at++) vectors = 10 * vectors + (int'(header.getc(at)) - 48);
        end
        sum = 0;
        for (int line = 0; line < vectors; line++) begin
            for (int k = 0; k < count; k++) begin
                same = little(widths[k]);
                if ($fscanf(text, "%h", number) != 1 || number !== same) $fatal(1, "line %0d: the forms differ", line + 1);
                sum += number;
            end
        end
        if ($fscanf(text, "%h", number) == 1) $fatal(1, "the array is shorter than the text");
        $display("%0d vectors, sum %016h", vectors, sum);
        $finish;
    end
endmodule
